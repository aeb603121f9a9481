# Sourced: `once STEP FILE…` runs the function STEP, unless it has been run in $folder for just these files.
once() {
  local step=$1 digest
  shift
  digest=$(cat "$@" | sha256sum)
  [ "$(cat "$folder/$step.done" 2>/dev/null)" = "$digest" ] && return
  echo "preparing: $step"
  rm -f "$folder/$step.done"
  "$step"
  echo "$digest" >"$folder/$step.done"
}

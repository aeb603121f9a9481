// Closed shadow roots: told where they may be, and read, found and reached like open ones once they are handed over.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  // Hosts that were looked at and have nothing closed.
  const plain = (parts.plainHosts ??= new WeakSet());
  const HOSTS = new Set(["article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "main", "nav", "p", "section", "span"]);

  // To be handed every root costs the more the larger the document is; up to this size plain elements are worth it too.
  const SMALL = 3_000;
  const size = () => see(document).getElementsByTagName("*").length;
  const isSmall = () => size() <= SMALL;
  const LOOK_AGAIN_MS = 10_000;
  let looked = { size: -1, at: 0 };

  // Something with a size and nothing of its own to show: what fills it lies out of sight. With `any`, plain elements too.
  function mayHide(element, any = false) {
    const { localName } = see(element);
    const isCustom = localName.includes("-");
    if (!isCustom && !(any && HOSTS.has(localName))) return false;
    if (parts.shadow(element) || plain.has(element)) return false;
    const first = see(element).firstElementChild;
    if (first ? getComputedStyle(first).display !== "" : see(element).textContent.trim() !== "") return false;
    return parts.boxes(element).length > 0;
  }

  // Gives how many were new. Whatever may hide something after that does not.
  function takeRoots(...roots) {
    const fresh = roots.filter((root) => root instanceof ShadowRoot && parts.shadow(root.host) !== root);
    for (const root of fresh) parts.opened.set(root.host, root);
    for (const element of parts.elements(see(document).documentElement).elements) {
      if (mayHide(element, true)) plain.add(element);
    }
    looked = { size: size(), at: performance.now() };
    return fresh.length;
  }

  function isClosedIn(elements) {
    const any = isSmall();
    return elements.some((element) => mayHide(element, any));
  }

  // Whether there may be roots that were not handed over, wherever they are.
  const isUnopened = () => looked.size !== size() || performance.now() - looked.at > LOOK_AGAIN_MS;

  Object.assign(parts, { isUnopened, mayHide, isSmall, isClosedIn });
  parts.expose({ takeRoots });
}

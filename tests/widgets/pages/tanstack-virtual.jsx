// TanStack Virtual: of a thousand rows only those in view are in the document.
import { useRef } from "react";
import { createRoot } from "react-dom/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { app, report } from "./state.js";

const picked = [];
function Rows() {
  const box = useRef(null);
  const rows = useVirtualizer({ count: 1000, getScrollElement: () => box.current, estimateSize: () => 32, overscan: 3 });
  return <div ref={box} role="list" aria-label="Rows" style={{ height: 320, overflow: "auto", border: "1px solid" }}>
    <div style={{ height: rows.getTotalSize(), position: "relative" }}>{rows.getVirtualItems().map(({ index, key, start }) =>
      <div role="listitem" key={key} style={{ position: "absolute", top: start, height: 32 }}>
        Row {index} <button onClick={() => picked.push(index)}>Pick row {index}</button></div>)}</div></div>;
}
createRoot(app).render(<Rows />);
report(() => picked);

// dnd kit: a list that is sorted by pointer events or by keys, after a small distance.
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from "@dnd-kit/core";
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { app, report } from "./state.js";

let order = ["Apples", "Bread", "Cheese", "Dates"];
function Item({ id }) {
  const { attributes, listeners, setNodeRef, transform } = useSortable({ id });
  const style = { border: "1px solid", padding: 8, width: 240, transform: transform ? `translateY(${transform.y}px)` : undefined };
  return <div ref={setNodeRef} style={style} {...attributes} {...listeners}>{id}</div>;
}
function List() {
  const [items, setItems] = useState(order);
  order = items;
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }));
  const end = ({ active, over }) => over && setItems((all) => arrayMove(all, all.indexOf(active.id), all.indexOf(over.id)));
  return <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={end}>
    <SortableContext items={items} strategy={verticalListSortingStrategy}>{items.map((id) => <Item key={id} id={id} />)}</SortableContext></DndContext>;
}
createRoot(app).render(<List />);
report(() => order);

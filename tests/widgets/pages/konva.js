// Konva: shapes on a canvas that listen to the pointer.
import Konva from "konva";
import { app, report } from "./state.js";

const stage = new Konva.Stage({ container: app, width: 600, height: 300 });
const layer = new Konva.Layer();
stage.add(layer);
const clicked = [];
const shapes = ["#1e88e5", "#d81b60", "#43a047"].map((fill, index) => new Konva.Rect({ x: 40 + 180 * index, y: 60, width: 90, height: 90, fill, draggable: true }));
shapes.forEach((shape) => {
  layer.add(shape);
  shape.on("click", () => clicked.push(shape.fill()));
  shape.on("dblclick", () => clicked.push("twice"));
});
report(() => ({ clicked, moved: shapes.filter((shape, index) => Math.abs(shape.x() - 40 - 180 * index) + Math.abs(shape.y() - 60) > 4).map((shape) => [shape.fill(), Math.round(shape.x() / 20), Math.round(shape.y() / 20)]) }));

// Chart.js: bars on a canvas, which only eyes can tell apart.
import { BarController, BarElement, CategoryScale, Chart, LinearScale } from "chart.js";
import { put, report } from "./state.js";

Chart.register(BarController, BarElement, CategoryScale, LinearScale);
const canvas = put('<canvas role="img" aria-label="Sales per month" width="600" height="300"></canvas>', "canvas");
const clicked = [];
const labels = ["January", "February", "March"];
new Chart(canvas, {
  type: "bar",
  data: { labels, datasets: [{ data: [20, 30, 40], backgroundColor: ["#1e88e5", "#43a047", "#d81b60"] }] },
  options: { animation: false, responsive: false, onClick: (_, hit) => clicked.push(labels[hit[0]?.index] ?? "none") },
});
report(() => clicked);

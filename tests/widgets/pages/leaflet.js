// Leaflet: a map that is dragged and zoomed, with a marker that opens a bubble.
import { map as makeMap, circleMarker } from "leaflet";
import "leaflet/dist/leaflet.css";
import { app, report } from "./state.js";

app.style.height = "360px";
const map = makeMap(app, { zoomAnimation: false, fadeAnimation: false, inertia: false }).setView([50, 10], 6);
let popups = 0;
circleMarker([50, 11], { radius: 14, color: "#d81b60", fillColor: "#d81b60", fillOpacity: 1 }).addTo(map).bindPopup("Old mill");
map.on("popupopen", () => { popups += 1; });
report(() => ({ zoom: map.getZoom(), popups, east: Math.round(map.getCenter().lng) }));

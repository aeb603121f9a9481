// FullCalendar: days and what is on them, dragged from one to another.
import { Calendar } from "@fullcalendar/core";
import daygrid from "@fullcalendar/daygrid";
import interaction from "@fullcalendar/interaction";
import { app, report } from "./state.js";

let picked;
const calendar = new Calendar(app, { plugins: [daygrid, interaction], initialDate: "2026-11-15", height: 600, editable: true,
  events: [{ title: "Meeting", start: "2026-11-11" }], dateClick: ({ dateStr }) => (picked = dateStr) });
calendar.render();
report(() => [picked, calendar.getEvents()[0].startStr]);

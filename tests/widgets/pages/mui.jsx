// Material UI: autocomplete, select, slider and a date field in sections.
import Autocomplete from "@mui/material/Autocomplete";
import MenuItem from "@mui/material/MenuItem";
import Slider from "@mui/material/Slider";
import TextField from "@mui/material/TextField";
import { AdapterDayjs } from "@mui/x-date-pickers/AdapterDayjs";
import { DatePicker } from "@mui/x-date-pickers/DatePicker";
import { LocalizationProvider } from "@mui/x-date-pickers/LocalizationProvider";
import dayjs from "dayjs";
import { createRoot } from "react-dom/client";
import { app, report } from "./state.js";

const held = {};
const hold = (name) => (value) => { held[name] = value; };
const countries = ["Austria", "Belgium", "Norway", "North Macedonia", "Portugal"];

createRoot(app).render(<LocalizationProvider dateAdapter={AdapterDayjs}>
  <Autocomplete options={countries} onChange={(_, value) => hold("country")(value)} renderInput={(all) => <TextField {...all} label="Country" />} />
  <p><TextField select label="Class" defaultValue="b" sx={{ width: 200 }} onChange={({ target }) => hold("class")(target.value)}>
    <MenuItem value="a">First</MenuItem><MenuItem value="b">Second</MenuItem></TextField></p>
  <p><Slider aria-label="Bags" defaultValue={1} min={0} max={9} onChange={(_, value) => hold("bags")(value)} /></p>
  <DatePicker label="Leaving" referenceDate={dayjs("2027-04-09")} closeOnSelect={false} onChange={(day) => hold("leaving")(day?.isValid() ? day.format("YYYY-MM-DD") : null)} />
</LocalizationProvider>);
report(() => held);

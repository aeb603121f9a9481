// Headless UI: a list box and a combobox made of buttons and list items.
import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions, Listbox, ListboxButton, ListboxOption, ListboxOptions } from "@headlessui/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { app, report } from "./state.js";

const people = ["Ada", "Barbara", "Grace"];
let held = {};
function Choices() {
  const [owner, setOwner] = useState(people[0]);
  const [tester, setTester] = useState(null);
  const [query, setQuery] = useState("");
  held = { owner, tester };
  const fitting = people.filter((name) => name.toLowerCase().includes(query.toLowerCase()));
  return <><Listbox value={owner} onChange={setOwner}><ListboxButton>Owner: {owner}</ListboxButton>
    <ListboxOptions>{people.map((name) => <ListboxOption key={name} value={name}>{name}</ListboxOption>)}</ListboxOptions></Listbox>
    <Combobox value={tester} onChange={setTester}><ComboboxInput aria-label="Tester" onChange={({ target }) => setQuery(target.value)} />
      <ComboboxOptions>{fitting.map((name) => <ComboboxOption key={name} value={name}>{name}</ComboboxOption>)}</ComboboxOptions></Combobox></>;
}
createRoot(app).render(<Choices />);
report(() => held);

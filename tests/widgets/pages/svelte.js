// Svelte 5: values bound to state.
import { mount } from "svelte";
import Form from "./svelte-form.svelte";
import { app, report } from "./state.js";

const held = {};
mount(Form, { target: app, props: { held } });
report(() => held);

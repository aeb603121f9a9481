// Vue 3 with Vuetify: a text field, a select in an overlay and a check box.
import { createApp, reactive } from "vue/dist/vue.esm-bundler.js";
import { createVuetify } from "vuetify";
import { VApp, VCheckbox, VSelect, VTextField } from "vuetify/components";
import "vuetify/styles";
import { app, report } from "./state.js";

const held = reactive({ name: "", size: null, agree: false });
createApp({
  setup: () => ({ held, sizes: ["Small", "Medium", "Large"] }),
  template: `<v-app><v-text-field label="Name" v-model="held.name" /><v-select label="Size" :items="sizes" v-model="held.size" />
    <v-checkbox label="Agree" v-model="held.agree" /></v-app>`,
}).use(createVuetify({ components: { VApp, VCheckbox, VSelect, VTextField } })).mount(app);
report(() => held);

// Vue 3 with Element Plus: a filterable select, a date and a rating.
import { createApp, reactive } from "vue/dist/vue.esm-bundler.js";
import { ElDatePicker, ElInput, ElOption, ElRate, ElSelect } from "element-plus";
import "element-plus/dist/index.css";
import { app, report } from "./state.js";

const held = reactive({ name: "", city: "", day: "", stars: 0 });
createApp({
  components: { ElDatePicker, ElInput, ElOption, ElRate, ElSelect },
  setup: () => ({ held, cities: ["Athens", "Bergen", "Cork"] }),
  template: `<p><el-input v-model="held.name" aria-label="Name" /></p>
    <p><el-select v-model="held.city" filterable aria-label="City" style="width: 200px"><el-option v-for="c in cities" :key="c" :label="c" :value="c" /></el-select></p>
    <p><el-date-picker v-model="held.day" value-format="YYYY-MM-DD" aria-label="Day" /></p><p><el-rate v-model="held.stars" aria-label="Stars" /></p>`,
}).mount(app);
report(() => held);

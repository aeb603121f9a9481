// Swiper: slides that move by buttons and by the pointer.
import Swiper from "swiper";
import { A11y, Navigation } from "swiper/modules";
import "swiper/css";
import "swiper/css/navigation";
import { put, report } from "./state.js";

const colours = ["#1e88e5", "#43a047", "#d81b60", "#fb8c00"];
const slides = colours.map((colour, index) => `<div class="swiper-slide" style="background: ${colour}; height: 200px">Slide ${index + 1}</div>`);
const place = put(`<div class="swiper" style="width: 480px"><div class="swiper-wrapper">${slides.join("")}</div>
  <div class="swiper-button-prev"></div><div class="swiper-button-next"></div></div>`, ".swiper");
const swiper = new Swiper(place, { modules: [A11y, Navigation], navigation: { nextEl: ".swiper-button-next", prevEl: ".swiper-button-prev" }, speed: 100 });
report(() => swiper.activeIndex);

// intl-tel-input: a list of countries beside a field for the number.
import intlTelInput from "intl-tel-input";
import "intl-tel-input/styles";
import { put, report } from "./state.js";

const field = put("<label for=p>Phone</label><input id=p type=tel>", "input");
const phone = intlTelInput(field, { initialCountry: "us", separateDialCode: true });
report(() => [phone.getSelectedCountry()?.iso2, field.value.replace(/\D/g, "")]);

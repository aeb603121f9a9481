// What the person and the agents call this browser: its maker's name, and enough of the profile's id to tell two apart.

const TAG = 4;

/** The maker's name where there is one, and the whole version. */
export async function browserName({ userAgent, userAgentData }) {
  const { fullVersionList = [] } = (await userAgentData?.getHighEntropyValues(["fullVersionList"]).catch(() => null)) ?? {};
  const brands = fullVersionList.filter(({ brand }) => !/not.?a.?brand/i.test(brand));
  const { brand = "Chromium", version } = brands.find(({ brand: name }) => name !== "Chromium") ?? brands[0] ?? {};
  return { name: brand, version: version ?? /Chrom\w*\/([\d.]+)/.exec(userAgent)?.[1] ?? "" };
}

/** As the service names it in results. */
export async function label(navigator, profileId) {
  const { name } = await browserName(navigator);
  return `${name} ${profileId.slice(0, TAG)}`;
}

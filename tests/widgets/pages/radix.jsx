// Radix: a menu in a portal with a submenu that opens under the pointer, and tabs.
import * as Menu from "@radix-ui/react-dropdown-menu";
import * as Tabs from "@radix-ui/react-tabs";
import { createRoot } from "react-dom/client";
import { app, report } from "./state.js";

const done = [];
const does = (what) => () => done.push(what);
const sheet = { background: "#eee", padding: 8 };

createRoot(app).render(<>
  <Menu.Root><Menu.Trigger>File</Menu.Trigger><Menu.Portal><Menu.Content style={sheet}>
    <Menu.Item onSelect={does("open")}>Open</Menu.Item>
    <Menu.Sub><Menu.SubTrigger>Share</Menu.SubTrigger><Menu.Portal><Menu.SubContent style={sheet}>
      <Menu.Item onSelect={does("mail")}>By mail</Menu.Item>
      <Menu.Item onSelect={does("link")}>By link</Menu.Item></Menu.SubContent></Menu.Portal></Menu.Sub>
  </Menu.Content></Menu.Portal></Menu.Root>
  <Tabs.Root defaultValue="g"><Tabs.List aria-label="Settings"><Tabs.Trigger value="g">General</Tabs.Trigger>
    <Tabs.Trigger value="s">Security</Tabs.Trigger></Tabs.List>
    <Tabs.Content value="g"><button onClick={does("reset")}>Reset</button></Tabs.Content>
    <Tabs.Content value="s"><button onClick={does("rotate")}>Rotate key</button></Tabs.Content></Tabs.Root>
</>);
report(() => done);

// Browsers give no workers to pages that are read as files. A frame takes the place of the one that searches, so that the
// search needs no server. The page and the frame have one origin, and call each other by events.
"use strict";
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<script src=\"" + address + "\"><\/script>";
      this.ready = new Promise((resolve) => { this.frame.onload = resolve; });
      document.body.append(this.frame);
    }
    async postMessage(data) {
      await this.ready;
      const inside = this.frame.contentWindow;
      inside.postMessage = (answer) => this.dispatchEvent(new MessageEvent("message", { data: answer }));
      inside.dispatchEvent(new MessageEvent("message", { data }));
    }
    terminate() { this.frame.remove(); }
  };
}

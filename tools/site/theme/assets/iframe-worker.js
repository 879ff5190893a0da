// A page opened from disk may not start a worker. The search then runs in a hidden frame instead, which is one for its purpose.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentDocument;
      this.loaded = new Promise((resolve) => {
        inside.open();
        this.frame.contentWindow.started = resolve;
        inside.write(
          `<script>
             postMessage = (data) => parent.postMessage(data, "*");
             importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise((done) => {
               const script = document.createElement("script");
               script.src = url;
               script.onload = done;
               document.body.appendChild(script);
             })), Promise.resolve());
           <\/script><body><script src="${url}" onload="started()"><\/script></body>`,
        );
        inside.close();
      });
      addEventListener("message", (event) => {
        if (event.source !== this.frame.contentWindow) return;
        const answer = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(answer);
        if (this.onmessage) this.onmessage(answer);
      });
    }
    postMessage(data) {
      this.loaded.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}

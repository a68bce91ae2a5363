export default () => globalThis.issuer.stop();

export default () => globalThis.stopIssuer();

export default () => globalThis.stopStack();

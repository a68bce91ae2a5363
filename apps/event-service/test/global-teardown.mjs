import { globalTeardown } from '@fibre/testing';

export default globalTeardown;

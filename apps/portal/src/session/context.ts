import type { FibreClient } from '@fibre/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Configuration, Scope } from '../configuration.js';
import type { Session } from './session.js';

/** What is available to every page. */
export interface AppContext {
  readonly configuration: Configuration;
  readonly session: Session;
  /** `useLoad`, `useListing` and `useAction` convert the client's errors into a Refusal. */
  readonly fibre: FibreClient;
}

const Context = createContext<AppContext | undefined>(undefined);
export const AppProvider = Context.Provider;

export function useApp(): AppContext {
  const app = useContext(Context);
  if (!app) throw new Error('no AppProvider');
  return app;
}

const NO_SCOPES: ReadonlySet<Scope> = new Set();
/** The scopes of the signed-in person. */
export const useScopes = (): ReadonlySet<Scope> => useApp().session.person.value?.scopes ?? NO_SCOPES;
/** Whether the person has one of these scopes; pass `undefined` if none is needed. */
export function useScope(...oneOf: readonly (Scope | undefined)[]): boolean {
  const scopes = useScopes();
  return oneOf.some((scope) => scope === undefined || scopes.has(scope));
}

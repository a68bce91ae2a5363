import { useLocation } from 'preact-iso';
import { page } from '../configuration.js';

/**
 * Goes to another page, `leave('relations')`, and never returns: an action that ends with it stays under way until its page is gone,
 * so that a second click does nothing while the next page is on its way.
 */
export function useLeave(): (path: string) => Promise<never> {
  const { route } = useLocation();
  return (path) => {
    route(page(path));
    return new Promise(() => undefined);
  };
}

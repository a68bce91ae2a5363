import { useLocation } from 'preact-iso';
import { page } from '../configuration.js';

/**
 * Navigates to another page, `leave('relations')`, and never resolves: an action that ends with it stays busy until its page is gone, so
 * that a second click does nothing while the next page loads.
 */
export function useLeave(): (path: string) => Promise<never> {
  const { route } = useLocation();
  return (path) => {
    route(page(path));
    return new Promise(() => undefined);
  };
}

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { ConnectionError } from '@fibre/client';
import { ErrorResponse, InMemoryWebStorage, type OidcMetadata, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { type Configuration, page, type Scope } from '../configuration.js';
import { keep } from './known.js';

/** A token that expires within this many seconds is renewed before a request is sent. */
const RENEW_BEFORE_S = 30;

/** The signed-in person. */
export interface Person {
  readonly name: string;
  /** The tenant, if the issuer provides it. */
  readonly tenant?: string;
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * The session of this page at the issuer: authorization code with PKCE. Tokens are only kept in memory, so each page load signs in again,
 * without a prompt if the issuer recognizes the browser. While the page is open, access tokens are renewed with the refresh token.
 * When that is no longer possible, {@link Session.hasEnded} makes the page ask for a sign-in in another window, and all input is kept.
 */
export class Session {
  /** `undefined` before sign-in, and after a sign-out here or in another tab. */
  readonly person: ReadonlySignal<Person | undefined>;
  /** Whether the person must sign in again to continue. */
  readonly hasEnded = signal(false);

  private readonly user = signal<User | undefined>(undefined);
  private readonly manager: UserManager;
  private readonly otherTabs = new BroadcastChannel('session');
  private renewal: Promise<string> | undefined;
  private settle: { resolve: (token: string) => void; reject: (error: Error) => void } | undefined;

  /** @param metadata that of the issuer, if it is known */
  constructor(
    private readonly configuration: Configuration,
    metadata?: Partial<OidcMetadata>,
  ) {
    const here = (path: string): string => location.origin + page(path);
    this.manager = new UserManager({
      authority: configuration.issuer,
      ...(metadata && { metadata }),
      client_id: configuration.client_id,
      redirect_uri: here('signed-in'),
      popup_redirect_uri: here('signed-in-again'),
      post_logout_redirect_uri: here('signed-out'),
      scope: ['openid', 'profile', 'email', ...Object.values(configuration.scopes)].join(' '),
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      // The PKCE verifier must survive the redirect to the issuer and back.
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
      automaticSilentRenew: false,
    });
    this.person = computed(() => this.user.value && this.personOf(this.user.value));
    this.otherTabs.addEventListener('message', () => void this.dropTokens());
  }

  /** Redirects to the issuer, which redirects back to `signed-in`; that page continues at `returnTo`. */
  async signIn(returnTo: string): Promise<void> {
    // Incomplete sign-ins leave their state behind.
    void this.manager.clearStaleState();
    keep({ configuration: this.configuration, metadata: await this.manager.metadataService.getMetadata() });
    return this.manager.signinRedirect({ state: returnTo });
  }

  /** Completes {@link signIn}. @returns where the person wanted to go */
  async signedIn(): Promise<string> {
    const user = await this.manager.signinRedirectCallback();
    this.user.value = user;
    return typeof user.state === 'string' && user.state.startsWith(page('')) ? user.state : page('');
  }

  /** Completes {@link signInAgain} in the other window. */
  signedInAgain(): Promise<void> {
    return this.manager.signinPopupCallback();
  }

  /** Opens the sign-in window. Browsers only allow this in response to a click. */
  async signInAgain(): Promise<void> {
    const before = this.user.value?.profile.sub;
    const user = await this.manager.signinPopup({ popupAbortOnClose: true });
    // Another person has signed in, so the input on the page is not theirs.
    if (user.profile.sub !== before) return location.reload();
    this.user.value = user;
    this.hasEnded.value = false;
    this.settle?.resolve(user.access_token);
    this.settle = undefined;
  }

  /** Gives up on signing in: requests that are waiting for a sign-in fail. */
  stayOut(): void {
    this.hasEnded.value = false;
    this.settle?.reject(new Error('The person chose not to sign in again'));
    this.settle = undefined;
    this.renewal = undefined;
  }

  async signOut(): Promise<void> {
    const id_token_hint = this.user.value?.id_token;
    this.otherTabs.postMessage('signed out');
    await this.dropTokens();
    // An issuer without an end-session endpoint keeps its own session, but this page has already dropped its tokens.
    await this.manager.signoutRedirect({ id_token_hint }).catch(() => undefined);
  }

  /** Stops sending requests first, then revokes the refresh token if the issuer supports that. Access tokens expire soon anyway. */
  private async dropTokens(): Promise<void> {
    this.user.value = undefined;
    this.stayOut();
    await this.manager.revokeTokens(['refresh_token']).catch(() => undefined);
    await this.manager.removeUser();
  }

  /** A token to send, different from the rejected one; waits for a renewal, or for the person to sign in. */
  async accessToken(refused?: string): Promise<string> {
    const user = this.user.value;
    const isFresh = user && user.access_token !== refused && (user.expires_in ?? Infinity) > RENEW_BEFORE_S;
    if (isFresh) return user.access_token;
    // Concurrent callers get the same token.
    this.renewal ??= this.renew().finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  private async renew(): Promise<string> {
    // Without a refresh token the library would try an iframe, which the Content-Security-Policy forbids.
    if (this.user.value?.refresh_token) {
      const user = await this.manager.signinSilent().catch((cause: unknown) => {
        if (cause instanceof ErrorResponse) return null;
        // The issuer has not rejected anything; the next request tries again.
        throw new ConnectionError('The issuer did not respond', { cause });
      });
      if (user && this.user.value) {
        this.user.value = user;
        return user.access_token;
      }
    }
    if (!this.user.value) throw new Error('Signed out');
    this.hasEnded.value = true;
    return new Promise<string>((resolve, reject) => (this.settle = { resolve, reject }));
  }

  private personOf({ profile, scope }: User): Person {
    // RFC 6749 section 5.1: the issuer need not repeat the scopes if it grants all that were requested.
    const granted = new Set((scope ?? this.manager.settings.scope).split(' '));
    const tenant = profile['tenant'];
    return {
      name: profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub,
      ...(typeof tenant === 'string' && { tenant }),
      scopes: new Set((Object.keys(this.configuration.scopes) as Scope[]).filter((name) => granted.has(this.configuration.scopes[name]))),
    };
  }
}

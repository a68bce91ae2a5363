import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { ConnectionError } from '@fibre/client';
import { ErrorResponse, InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { type Configuration, page, type Scope } from '../configuration.js';

/** A token that ends sooner is renewed before it is sent. */
const RENEW_BEFORE_S = 30;

/** Who is signed in. */
export interface Person {
  readonly name: string;
  /** Whose records these are; the issuer may not say. */
  readonly tenant?: string;
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * The session of this page at the issuer: authorization code with PKCE. Tokens are in memory and nowhere else, so each page load
 * signs in again, which the issuer does without asking as long as it knows the browser. While the page is open, access tokens are
 * renewed by the refresh token; when that has ended too, {@link Session.hasEnded} asks for a sign-in in a window beside the page,
 * and whatever was typed stays where it is.
 */
export class Session {
  /** Undefined until somebody is signed in, and after a sign-out, here or in another tab. */
  readonly person: ReadonlySignal<Person | undefined>;
  /** Whether the person has to sign in again before anything goes on. */
  readonly hasEnded = signal(false);

  private readonly user = signal<User | undefined>(undefined);
  private readonly manager: UserManager;
  private readonly otherTabs = new BroadcastChannel('session');
  private renewal: Promise<string> | undefined;
  private settle: { resolve: (token: string) => void; reject: (error: Error) => void } | undefined;

  constructor(private readonly configuration: Configuration) {
    const here = (path: string): string => location.origin + page(path);
    this.manager = new UserManager({
      authority: configuration.issuer,
      client_id: configuration.client_id,
      redirect_uri: here('signed-in'),
      popup_redirect_uri: here('signed-in-again'),
      post_logout_redirect_uri: here('signed-out'),
      scope: ['openid', 'profile', 'email', ...Object.values(configuration.scopes)].join(' '),
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      // The PKCE verifier has to survive the way to the issuer and back.
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
      automaticSilentRenew: false,
    });
    this.person = computed(() => this.user.value && this.personOf(this.user.value));
    this.otherTabs.addEventListener('message', () => void this.dropTokens());
  }

  /** Goes to the issuer, which comes back to `signed-in`; from there the page goes on at `returnTo`. */
  signIn(returnTo: string): Promise<void> {
    // Sign-ins that were never completed leave their state behind.
    void this.manager.clearStaleState();
    return this.manager.signinRedirect({ state: returnTo });
  }

  /** Completes {@link signIn}. @returns where the person wanted to be */
  async signedIn(): Promise<string> {
    const user = await this.manager.signinRedirectCallback();
    this.user.value = user;
    return typeof user.state === 'string' && user.state.startsWith(page('')) ? user.state : page('');
  }

  /** Completes {@link signInAgain} in the window beside the page. */
  signedInAgain(): Promise<void> {
    return this.manager.signinPopupCallback();
  }

  /** Asks for the sign-in in a window beside the page. Only a click may open one. */
  async signInAgain(): Promise<void> {
    const before = this.user.value?.profile.sub;
    const user = await this.manager.signinPopup({ popupAbortOnClose: true });
    // What is on the page belongs to somebody else.
    if (user.profile.sub !== before) return location.reload();
    this.user.value = user;
    this.hasEnded.value = false;
    this.settle?.resolve(user.access_token);
    this.settle = undefined;
  }

  /** Leaves it at that: requests that wait for the sign-in fail. */
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
    // An issuer without an end-session endpoint keeps its own session; this page has forgotten it.
    await this.manager.signoutRedirect({ id_token_hint }).catch(() => undefined);
  }

  /** First of all nothing more is sent; then the refresh token is revoked, where the issuer can do that. Access tokens end soon. */
  private async dropTokens(): Promise<void> {
    this.user.value = undefined;
    this.stayOut();
    await this.manager.revokeTokens(['refresh_token']).catch(() => undefined);
    await this.manager.removeUser();
  }

  /** A token to send, another one than was refused; waits for a renewal, and for the person where it takes one. */
  async accessToken(refused?: string): Promise<string> {
    const user = this.user.value;
    const isFresh = user && user.access_token !== refused && (user.expires_in ?? Infinity) > RENEW_BEFORE_S;
    if (isFresh) return user.access_token;
    // Everybody who asks meanwhile gets the same.
    this.renewal ??= this.renew().finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  private async renew(): Promise<string> {
    // Without a refresh token the library would try an iframe, which the Content-Security-Policy forbids.
    if (this.user.value?.refresh_token) {
      const user = await this.manager.signinSilent().catch((cause: unknown) => {
        if (cause instanceof ErrorResponse) return null;
        // The issuer has refused nothing; the next request tries again.
        throw new ConnectionError('The issuer did not answer', { cause });
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
    // RFC 6749 section 5.1: an issuer that grants what was asked for need not repeat it.
    const granted = new Set((scope ?? this.manager.settings.scope).split(' '));
    const tenant = profile['tenant'];
    return {
      name: profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub,
      ...(typeof tenant === 'string' && { tenant }),
      scopes: new Set((Object.keys(this.configuration.scopes) as Scope[]).filter((name) => granted.has(this.configuration.scopes[name]))),
    };
  }
}

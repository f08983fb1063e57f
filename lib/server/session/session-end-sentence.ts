import 'server-only'
import type { SessionEnd } from './session-state'

const SENTENCES: Record<SessionEnd, string> = {
  'signed-out': 'You have signed out.',
  'ended-elsewhere': 'This session was ended from another one of yours.',
  refused: 'Keystone no longer accepts this session: your password, roles or account have changed.',
  'secret-changed': "Your session has ended, because the console's secret has changed.",
  'token-expired': "Your session has ended, because Keystone's token has expired.",
  'too-old': 'Your session has ended, because it has reached its longest time.',
  idle: 'Your session has ended, because it was not used for a while.',
}

/** Why a person has to sign in, in one sentence. */
export const sessionEndSentence = (end: SessionEnd | null): string =>
  end === null ? 'You are not signed in.' : SENTENCES[end]

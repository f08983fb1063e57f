import 'server-only'
import { formatLength } from '@/lib/util/format'
import type { SessionEnd } from './session-state'

/** Why a person has to sign in, in one sentence. */
export const sessionEndSentence = (end: SessionEnd | null): string => {
  if (end === null) return 'You are not signed in.'
  switch (end.reason) {
    case 'signed-out':
      return 'You have signed out.'
    case 'ended-elsewhere':
      return 'This session was ended from another one of yours.'
    case 'refused':
      return 'Keystone revoked this session: your password, roles or account have changed.'
    case 'secret-changed':
      return "Your session has ended, because the console's secret has changed."
    case 'token-expired':
      return `Your session expired after ${formatLength(end.afterMs)}, with its Keystone token.`
    case 'too-old':
      return `Your session expired after ${formatLength(end.afterMs)}, the maximum of this console.`
    case 'idle':
      return `Your session expired after ${formatLength(end.afterMs)} without use.`
  }
}

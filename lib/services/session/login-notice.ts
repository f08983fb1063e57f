import 'server-only'
import { LOGIN_PROBLEMS, type LoginProblem } from '@/lib/schemas/api/session'
import { sessionEndSentence } from '@/lib/server/session/session-end-sentence'
import type { SessionEnd } from '@/lib/server/session/session-state'

const PROBLEMS: Record<LoginProblem, string> = {
  'not-started':
    'The identity provider sent you back, but this browser had not started a sign-in, or too long ago. Start it here.',
  'token-too-long':
    "Keystone's token is too long for a browser to carry: ask the operator for Fernet tokens.",
  'no-role': 'You have signed in, but have no role on any project: ask an admin of the cloud for one.',
  refused: 'Keystone does not know the token that came back from the identity provider. Try again.',
  unreachable:
    'Keystone did not answer when you came back from the identity provider. Try again in a moment.',
  failed: "The sign-in failed; the console's log has the reason. Try again.",
}

/** What the sign-in page says first: how the last session ended, or what went wrong with the identity provider. */
export const loginNotice = ({
  end,
  problem,
}: {
  end: SessionEnd | null
  problem: string | undefined
}): string | null => {
  const known = LOGIN_PROBLEMS.find((one) => one === problem)
  if (known !== undefined) return PROBLEMS[known]
  return end === null ? null : sessionEndSentence(end)
}

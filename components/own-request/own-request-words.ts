import type { RequestStanding } from '@/lib/domain/quota-request/request-standing'

/** What a project reads of its request; what is in an admin's way is told as "approved". */
export const OWN_TAGS: Readonly<
  Record<RequestStanding, { word: string; tone: 'quiet' | 'accent' | 'warn' }>
> = {
  open: { word: 'waits for an admin', tone: 'accent' },
  writing: { word: 'approved, on its way', tone: 'accent' },
  unwritten: { word: 'approved, on its way', tone: 'accent' },
  granted: { word: 'granted', tone: 'quiet' },
  ending: { word: 'ended', tone: 'quiet' },
  ended: { word: 'ended', tone: 'quiet' },
  left: { word: 'ended', tone: 'quiet' },
  declined: { word: 'declined', tone: 'warn' },
  withdrawn: { word: 'withdrawn', tone: 'quiet' },
}

import type { RequestStatus } from '@/lib/domain/quota-request/request-status'

/** The status of a request for its project. */
export const OWN_TAGS: Readonly<Record<RequestStatus, { word: string; tone: 'quiet' | 'accent' | 'warn' }>> =
  {
    open: { word: 'Waiting for review', tone: 'accent' },
    writing: { word: 'Approved, being applied', tone: 'accent' },
    unwritten: { word: 'Waiting for review', tone: 'accent' },
    reverted: { word: 'Reverted, waiting for review', tone: 'warn' },
    granted: { word: 'Granted', tone: 'quiet' },
    ending: { word: 'Ended', tone: 'quiet' },
    ended: { word: 'Ended', tone: 'quiet' },
    left: { word: 'Ended', tone: 'quiet' },
    declined: { word: 'Declined', tone: 'warn' },
    withdrawn: { word: 'Withdrawn', tone: 'quiet' },
  }

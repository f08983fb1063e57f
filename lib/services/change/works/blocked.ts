import type { Look } from './step-work'

const PLAN_AGAIN = 'Plan again: a new plan goes by what is there now.'
export const GOES_ON = 'It goes on by itself.'

/** A look that found something in the way, and what would take it away. */
export const blocked = (by: string, wayOut = PLAN_AGAIN): Look => ({ state: 'blocked', by, wayOut })

/** A look that found what was asked for under way: nothing is in the way of it. */
export const underWay = (by: string): Look => ({ state: 'blocked', by, wayOut: GOES_ON, isUnderWay: true })

/** A look at a host whose facts can't be gone by. */
export const untold = (host: string, reason: string): Look =>
  blocked(
    `What ${host} is in can't be told now: ${reason}.`,
    'It goes on by itself when the host reports again.',
  )

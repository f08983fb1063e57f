/** Why a passthrough GPU is stranded that Nova reserved until an external cleaner releases it (`one_time_use`). */
export const WAITING_FOR_CLEANING = 'waiting for cleaning: Nova keeps it reserved after use'

/** Why free vGPUs cannot be scheduled, as findings, the history and reviews show it. */
export const NO_FLAVOR = 'no flavor requests them'
export const NO_HEADROOM = 'the host has no CPU, memory or disk left for them'
export const NO_VF_TYPE = 'their VFs have no vGPU type yet'

/** The history of earlier releases has these texts. */
const EARLIER: Readonly<Record<string, string>> = {
  'no flavor asks for them': NO_FLAVOR,
  'the host has no CPU, memory or disk left beside them': NO_HEADROOM,
}

/** The current text of a stored reason. */
export const currentReason = (stored: string): string => EARLIER[stored] ?? stored

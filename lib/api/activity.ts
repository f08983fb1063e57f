const AWAY_MS = 60_000

let lastInputMs = Date.now()

const note = () => {
  lastInputMs = Date.now()
}

if (typeof window !== 'undefined') {
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
    window.addEventListener(event, note, { passive: true, capture: true })
}

/** Without input for a while, the requests of the page do not extend the session. */
export const isAway = (): boolean => typeof window !== 'undefined' && Date.now() - lastInputMs > AWAY_MS

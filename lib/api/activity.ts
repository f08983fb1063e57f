const AWAY_MS = 60_000

let lastInputMs = Date.now()

const note = () => {
  lastInputMs = Date.now()
}

if (typeof window !== 'undefined') {
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
    window.addEventListener(event, note, { passive: true, capture: true })
}

/** Nobody has touched the page for a while, so what it asks keeps no session awake. */
export const isAway = (): boolean => typeof window !== 'undefined' && Date.now() - lastInputMs > AWAY_MS

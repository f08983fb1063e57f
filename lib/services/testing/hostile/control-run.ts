import { attackedRenders } from './attacked-outputs'
import { checkOutputs } from './check-outputs'
import { MARKER } from './hostile-text'
import type { Sandbox } from './sandbox'

const isHostile = (text: string) => text.search(MARKER) !== -1

/** What the encoders, as they are when it is called, let through first; null: nothing. */
export type FindEffect = () => Promise<string | null>

/** Compares with the outputs of now, when all encoders are in place. */
export const createControl = async ({
  seed,
  sandbox,
}: {
  seed: number
  sandbox: Sandbox
}): Promise<FindEffect> => {
  const all = (await attackedRenders({ seed, rounds: 3 })).map((render) => ({
    render,
    usual: new Set(render().map(({ text }) => text)),
  }))
  return async () => {
    for (const { render, usual } of all) {
      const changed = render().filter(({ text }) => !usual.has(text))
      const [effect] = await checkOutputs(changed, { sandbox, shells: ['dash'], isHostile })
      if (effect !== undefined) return `${effect.output}: ${effect.what}`
    }
    return null
  }
}

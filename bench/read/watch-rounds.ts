import { type CloudReadingDto, cloudReadingSchema } from '@/lib/schemas/api/cloud-reading'
import { apiPaths } from '@/lib/util/paths'

export type Round = NonNullable<CloudReadingDto['round']>

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Rounds as they end, until `isEnough` of all so far. */
export const watchRounds = async (
  address: string,
  isEnough: (rounds: readonly Round[], reading: CloudReadingDto) => boolean,
): Promise<Round[]> => {
  const rounds: Round[] = []
  for (;;) {
    const answer = await fetch(new URL(apiPaths.cloudReading(), address))
    const reading = cloudReadingSchema.parse(await answer.json())
    const { round } = reading
    if (round !== null && round.number !== rounds.at(-1)?.number) {
      rounds.push(round)
      if (isEnough(rounds, reading)) return rounds
    }
    await wait(250)
  }
}

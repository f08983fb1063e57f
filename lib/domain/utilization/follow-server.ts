/** A vGPU that a server holds: where, of which type, and since when this is known (ms). */
export type HeldLocation = { hostId: number; address: string; typeId: string; at: number }

/** What was measured of a server somewhere. */
type Measured = { hostId: number; address: string }

/** `own`: of this very vGPU, null where nothing was measured of it; `past`: of those that the server held in its place before. */
export type Followed<Series> = { own: Series | null; past: Series[] }

/**
 * For each vGPU that a server uses, the measurements of it and of its predecessors before the server was moved to another
 * host or pGPU, or its mdev was recreated. `series` of this server alone, the latest first. No source reports which vGPU
 * became which, so all earlier ones of its device group count, and a group has one vGPU type: `typesOf` returns the types
 * that a server used at a location (null: unknown). A server that two hosts report at once is attributed to the one that
 * reported it last.
 */
export const followServer = <Series extends Measured>(
  held: readonly HeldLocation[],
  { series, typesOf }: { series: readonly Series[]; typesOf: (one: Series) => ReadonlySet<string> | null },
): Followed<Series>[] => {
  const left = new Set(series)
  const owns = held.map(({ hostId, address }) => {
    const own = [...left].find((one) => one.hostId === hostId && one.address === address) ?? null
    if (own !== null) left.delete(own)
    return own
  })
  const last = Math.max(...held.map(({ at }) => at))
  const hostNow = held.find(({ at }) => at === last)?.hostId
  const ownNow = new Set(owns.filter((own) => own?.hostId === hostNow))
  const types = new Set(held.filter(({ hostId }) => hostId === hostNow).map(({ typeId }) => typeId))
  const isOfGroup = (one: Series, typeId: string): boolean => {
    const then = types.size < 2 ? null : typesOf(one)
    return then === null || then.has(typeId) || ![...then].some((each) => types.has(each))
  }
  return held.map(({ hostId, typeId }, index) => ({
    own: owns[index] ?? null,
    past: hostId === hostNow ? series.filter((one) => !ownNow.has(one) && isOfGroup(one, typeId)) : [],
  }))
}

/** A message may be this long on its way, and a clock that is behind by less cannot be told from that. */
const ON_ITS_WAY_MS = 10_000

/**
 * When a host took a report, by our clock, in ms: its own time, corrected by what its clock is off as it sends. `sentAt`: the
 * host's clock then; null: it does not say, and its time is taken as it is. Never after `receivedAt`, our clock at the receipt.
 */
export const takenMoment = ({
  takenAt,
  sentAt,
  receivedAt,
}: {
  takenAt: Date
  sentAt: Date | null
  receivedAt: Date
}): number => {
  const aheadMs = sentAt === null ? 0 : sentAt.getTime() - receivedAt.getTime()
  const isOff = aheadMs > 0 || aheadMs < -ON_ITS_WAY_MS
  return Math.min(takenAt.getTime() - (isOff ? aheadMs : 0), receivedAt.getTime())
}

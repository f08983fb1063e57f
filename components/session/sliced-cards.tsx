const ROWS = 11
const WIDTH = 640
const ROW_HEIGHT = 46

/** How each card is cut, as shares of its width; the same picture every time. */
const CUTS: readonly (readonly number[])[] = [
  [4, 4, 4, 4],
  [8, 8],
  [2, 2, 2, 2, 2, 2, 2, 2],
  [16],
  [4, 4, 8],
  [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
]

const FILLS = [
  'fill-accent',
  'fill-accent',
  'fill-accent',
  'fill-accent2',
  'fill-accent2',
  'fill-cell',
] as const

type Slice = { key: string; x: number; y: number; width: number; fill: string }

const slices = Array.from({ length: ROWS }, (_none, row) => {
  const cuts = CUTS[(row * 5) % CUTS.length] ?? []
  return cuts.map((share, slice): Slice => {
    const before = cuts.slice(0, slice).reduce((sum, one) => sum + one, 0)
    return {
      key: `${row}-${slice}`,
      x: (before / 16) * WIDTH,
      y: row * ROW_HEIGHT,
      width: (share / 16) * WIDTH - 4,
      fill: FILLS[(row * 7 + slice * 5 + ((row * slice) % 3)) % FILLS.length] ?? 'fill-cell',
    }
  })
}).flat()

/** Cards and their slices, as ornament. */
export const SlicedCards = () => (
  <div aria-hidden="true" className="relative overflow-hidden border-line border-l bg-panel max-lg:hidden">
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${ROWS * ROW_HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full -rotate-6 scale-125 opacity-80"
    >
      {slices.map(({ key, fill, ...place }) => (
        <rect key={key} {...place} height={ROW_HEIGHT - 12} rx="5" className={fill} />
      ))}
    </svg>
  </div>
)

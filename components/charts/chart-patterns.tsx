/** A pattern of stripes, by whose `id` an area is filled. */
export const Stripes = ({
  id,
  size,
  width,
  angle,
  ground,
  ink,
}: {
  id: string
  size: number
  width: number
  angle: number
  ground: string
  ink: string
}) => (
  <pattern
    id={id}
    width={size}
    height={size}
    patternUnits="userSpaceOnUse"
    patternTransform={`rotate(${angle})`}
  >
    <rect width={size} height={size} fill={ground} />
    <rect width={width} height={size} fill={ink} />
  </pattern>
)

/** Patterns of the layers, which distinguish neighbors without color. */
export const ChartPatterns = () => (
  <defs>
    <pattern id="chart-spare" width="5" height="5" patternUnits="userSpaceOnUse">
      <rect width="5" height="5" fill="var(--accent2)" />
      <circle cx="2.5" cy="2.5" r="1.1" fill="var(--accent)" />
    </pattern>
    <Stripes id="chart-orphan" size={5} width={2} angle={-45} ground="var(--warn2)" ink="var(--warn)" />
    <pattern id="chart-stranded" width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" fill="var(--warn2)" />
      <path d="M0 3h6" stroke="var(--warn)" strokeWidth="1" />
    </pattern>
    <Stripes id="chart-unseen" size={6} width={1} angle={45} ground="var(--line2)" ink="var(--edge)" />
  </defs>
)

const Spare = ({ id, className }: { id: string; className: string }) => (
  <pattern id={id} width="4.5" height="4.5" patternUnits="userSpaceOnUse" className={className}>
    <rect width="4.5" height="4.5" className="soft" />
    <circle cx="2.25" cy="2.25" r="1.15" className="strong" />
  </pattern>
)

const Orphan = ({ id, className }: { id: string; className: string }) => (
  <pattern
    id={id}
    width="5"
    height="5"
    patternUnits="userSpaceOnUse"
    patternTransform="rotate(45)"
    className={className}
  >
    <rect width="5" height="5" className="soft" />
    <rect width="2" height="5" className="strong" />
  </pattern>
)

/**
 * Fills that the bars' outlines refer to. Present once on every page that draws bars. `hasOld`: also for silent hosts.
 */
export const CellPatterns = ({ hasOld = true }: { hasOld?: boolean }) => (
  <svg width="0" height="0" className="absolute" aria-hidden="true" focusable="false">
    <Spare id="cells-spare" className="pattern-accent" />
    <Orphan id="cells-orphan" className="pattern-warn" />
    {hasOld ? (
      <>
        <Spare id="cells-spare-old" className="pattern-old" />
        <Orphan id="cells-orphan-old" className="pattern-old" />
      </>
    ) : null}
    <pattern id="cells-locked" width="6" height="6" patternUnits="userSpaceOnUse" className="pattern-locked">
      <rect width="6" height="6" className="soft" />
      <path d="M0 6 6 0" className="line" />
    </pattern>
  </svg>
)

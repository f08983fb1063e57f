export type Box = { left: number; top: number; width: number; height: number }
type Size = { width: number; height: number }

const GAP_PX = 6
const MARGIN_PX = 8

/** Above the anchor, centred; below when there is no room; never outside the viewport. All in viewport pixels. */
export const positionNextTo = ({
  anchor,
  note,
  viewport,
}: {
  anchor: Box
  note: Size
  viewport: Size
}): { left: number; top: number } => {
  const centred = anchor.left + anchor.width / 2 - note.width / 2
  const rightmost = viewport.width - note.width - MARGIN_PX
  const above = anchor.top - GAP_PX - note.height
  return {
    left: Math.max(MARGIN_PX, Math.min(centred, rightmost)),
    top: above >= MARGIN_PX ? above : anchor.top + anchor.height + GAP_PX,
  }
}

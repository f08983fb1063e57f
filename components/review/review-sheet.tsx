import type { Review } from '@/lib/schemas/api/review'
import { ReviewSheetV1 } from './sheet-v1/review-sheet-v1'
import { ReviewSheetV2 } from './sheet-v2/review-sheet-v2'

/** The sheet of a review's version. */
export const ReviewSheet = ({ content, ...rest }: Review) =>
  content.version === 1 ? (
    <ReviewSheetV1 {...rest} content={content} />
  ) : (
    <ReviewSheetV2 {...rest} content={content} />
  )

import { auditExportSchema } from '@/lib/schemas/api/audit-inputs'
import { attachment } from '@/lib/server/http/attachment'
import { route } from '@/lib/server/http/route'
import { exportAudit } from '@/lib/services/audit/export-audit'

export const dynamic = 'force-dynamic'

/** Parts as the client takes them; who goes away ends the reading. No part is empty. */
const streamOf = (parts: AsyncGenerator<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => {
      await parts.return(undefined)
    },
  })
}

export const GET = route({ query: auditExportSchema }, async ({ ctx, query }) => {
  const { name, type, parts } = await exportAudit(ctx, query)
  return attachment({ name, type, text: streamOf(parts) })
})

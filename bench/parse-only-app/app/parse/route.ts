import { gunzipSync } from 'node:zlib'
export const dynamic = 'force-dynamic'
export async function POST(request: Request): Promise<Response> {
  const bytes = Buffer.from(await request.arrayBuffer())
  const text = request.headers.get('content-encoding') === 'gzip' ? gunzipSync(bytes) : bytes
  const report = JSON.parse(text.toString())
  return Response.json({ isApplied: true, newest: report.position, intervalSeconds: 30 })
}

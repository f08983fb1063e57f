/** A refusal; each service words its body in its own shape. `code` is Placement's. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string | null
  readonly headers: Record<string, string>

  constructor(
    status: number,
    message: string,
    options: { code?: string; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = options.code ?? null
    this.headers = options.headers ?? {}
  }
}

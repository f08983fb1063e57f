/** The build of the console that answers, on answers of its API; on requests of pages the server sets it for app/layout. */
export const BUILD_HEADER = 'x-build-id'

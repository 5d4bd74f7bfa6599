/** What `JSON.stringify` can write. */
export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

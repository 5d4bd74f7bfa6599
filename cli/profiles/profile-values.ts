/** What `scraper:profile` was given; each action takes what it needs. */
export interface ProfileValues {
  readonly out: string | undefined;
  readonly name: string | undefined;
  readonly language: string | undefined;
  readonly articles: number;
  readonly delay: number;
  readonly page: readonly string[];
  readonly list: readonly string[];
  readonly url: string | undefined;
}

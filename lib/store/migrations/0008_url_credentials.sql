-- Addresses of articles are kept without user name and password, which are nobody's to read.
update articles set url = regexp_replace(url, '^(https?:)[/\\]*[^/?#\\]*@', '\1//', 'i')
where url ~* '^https?:[/\\]*[^/?#\\]*@';

update articles set images = (
  select array_agg(regexp_replace(image, '^(https?:)[/\\]*[^/?#\\]*@', '\1//', 'i') order by n)
  from unnest(images) with ordinality as i (image, n))
where exists (select from unnest(images) as image where image ~* '^https?:[/\\]*[^/?#\\]*@');

update article_pairs set alias_url = regexp_replace(alias_url, '^(https?:)[/\\]*[^/?#\\]*@', '\1//', 'i')
where alias_url ~* '^https?:[/\\]*[^/?#\\]*@';

import unittest

from tokenizers import Tokenizer, models, pre_tokenizers, processors

from .vocabulary import SPECIAL, encode, normaliser


def small() -> Tokenizer:
    pieces = [*SPECIAL, "one", "two", "##s", "http", "@", "احمد", "5"]
    made = Tokenizer(models.WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normaliser()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return made


class Vocabulary(unittest.TestCase):
    def test_forms_of_letters_and_digits_are_folded(self) -> None:
        tokenizer = small()
        for text in ("أحمد", "أَحْمَد", "احـــمد", "\u200fاحمد"):
            self.assertEqual(tokenizer.encode(text).tokens, ["[CLS]", "احمد", "[SEP]"])
        self.assertEqual(tokenizer.encode("٥ ۵ 5").tokens[1:-1], ["5", "5", "5"])

    def test_links_and_accounts_leave_only_that_they_were_there(self) -> None:
        self.assertEqual(small().encode("one https://t.co/aBc1 @some_one").tokens[1:-1], ["one", "http", "@"])

    def test_a_long_text_is_cut_before_the_last_special_token(self) -> None:
        self.assertEqual(encode(small(), ["one two ones one"], 4), [[2, 5, 6, 3]])


if __name__ == "__main__":
    unittest.main()
